/** Common given names in the United States, in lower case. */

export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `aaron abby abdul abel abigail abraham adam adrian adriana agnes ahmed aimee alan alana albert alberto alejandra alejandro
  alex alexander alexandra alexis alfonso alfred alfredo ali alice alicia alisha alison allan allen allison alma alvin alyssa
  amanda amber amir amy ana andre andrea andrew andy angela angelica angelina anita ann anna anne annette annie anthony
  antoinette antonio april ariel arlene armando arnold arthur arturo ashley aubrey audrey barbara barry beatrice becky ben benjamin
  bernadette bernard bernice bert bertha beth bethany betty beverly bill billie billy blanca bob bobbie bobby bonnie brad
  bradley brandi brandon brandy brenda brent brett brian bridget brittany bruce bryan bryant caleb calvin cameron camille
  carl carla carlos carmen carol caroline carolyn carrie casey cassandra catherine cathy cecil cecilia cedric cesar chad
  charlene charles charlie charlotte chelsea cheryl chester chris christina christine christopher christy cindy claire
  clara clarence claude claudia clayton clifford clifton clinton clyde cody colleen connie constance corey cory courtney
  craig crystal curtis cynthia daisy dale damon dan dana daniel danielle danny darla darlene darrell darren darryl daryl
  dave david dawn dean deanna debbie deborah debra delores denise dennis derek derrick desiree diana diane diego dolores
  dominic don donald donna dora doreen doris dorothy doug douglas duane dustin dwayne dwight earl ebony eddie edgar edith
  eduardo edward edwin eileen elaine eleanor elena eli elias elizabeth ella ellen elmer elsie emanuel emily emma enrique
  eric erica erik erika erin ernest ernesto esther ethan ethel eugene eva evan evelyn felicia felix fernando florence
  floyd frances francis francisco frank franklin fred freddie frederick gabriel gail garrett gary gene geneva george gerald
  geraldine gerardo gilbert gina gladys glen glenda glenn gloria gordon grace greg gregory gretchen guadalupe guillermo
  gwendolyn hannah harold harriet harry harvey hazel heather hector heidi helen henry herbert herman hilda holly howard
  hugh ian ida ignacio inez irene iris irma isaac isabel ismael israel ivan jack jackie jacob jacqueline jaime jake james
  jamie jan jane janet janice jared jasmine jason javier jay jean jeanette jeanne jeff jeffery jeffrey jenna jennifer jenny
  jeremy jermaine jerome jerry jesse jessica jessie jesus jill jim jimmie jimmy jo joan joann joanna joanne jodi jody joe
  joel john johnathan johnnie johnny jon jonathan jordan jorge jose joseph josephine joshua joy joyce juan juana juanita
  judith judy julia julian julie julio justin kara karen kari karl karla kate katherine kathleen kathryn kathy katie katja katrina
  kay kayla keith kelley kelli kelly ken kenneth kerry kevin kim kimberly kirk krista kristen kristi kristin kristina kristy
  kurt kyle lakisha larry latasha latoya laura lauren laurie lawrence leah lee leigh lena leo leon leonard leroy leslie
  lester leticia lewis lillian lillie linda lindsay lindsey lisa lloyd lois lonnie lora loretta lori lorraine louis louise
  lucas lucia lucille lucy luis luke lula luz lydia lynda lynn mabel mack madeline maggie mandy manuel marc marcella marcia
  marco marcos marcus margaret margarita maria marian marianne marie marilyn mario marion marjorie mark marlene marsha
  marshall martha martin marvin mary maryann mathew matt matthew maureen maurice max maxine megan mehdi melanie melinda
  melissa melvin meredith micah michael micheal michele michelle miguel mike mildred milton minnie miranda miriam misty
  mitchell mohamed mohammad mohammed molly mona monica monique morris muhammad myra myrtle nancy naomi natalie natasha
  nathan nathaniel neil nelson nicholas nick nicolas nicole nina noah noel nora norma norman olga olivia omar opal ora orlando
  oscar otis pablo pam pamela pat patricia patrick patsy patti patty paul paula pauline pedro peggy penny perry pete peter
  phil philip phillip phyllis priscilla rachel rafael ralph ramon ramona randall randy raquel raul ray raymond rebecca regina
  reginald rene renee rhonda ricardo richard rick rickey ricky rita robert roberta roberto robin robyn rochelle roderick
  rodney rodolfo roger roland ron ronald ronnie rosa rosalie rosemarie rosemary rosie ross roxanne roy ruben rudolph rudy
  russell ruth ryan sabrina sally salvador salvatore sam samantha samuel sandra sandy santiago sara sarah scott sean sergio
  seth shane shannon sharon shaun shawn sheila shelby sheldon shelia shelley shelly sheri sherri sherry sheryl shirley
  sidney silvia simon sonia sonja sonya sophia sophie spencer stacey stacy stanley stella stephanie stephen steve steven
  stewart stuart sue susan suzanne sylvester sylvia tamara tami tammy tanya tara tasha ted terence teresa teri terrance
  terrence terri terry thelma theodore theresa thomas tiffany tim timothy tina todd tom tommy toni tony tonya tracey traci
  tracy travis trevor tricia troy tyler tyrone valerie vanessa velma vera verna vernon veronica vicki vickie vicky victor
  victoria vincent viola violet virginia vivian wade wallace walter wanda warren wayne wendell wendy wesley whitney wilbur
  willard william willie wilma yolanda yvette yvonne zachary`.split(/\s+/),
);
