/** Headers as words: `LocationStartDate`, `location_start_date`, `LOCATION START DATE` and `LOCATIONSTARTDATE` are the same. */

/** The words of a header, lower case, short forms written out. */
export function splitHeader(header: string): string[] {
  return header
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => splitGluedWord(word) ?? [word])
    .map((word) => SHORT.get(word) ?? word);
}

/** What short forms stand for. */
const SHORT = new Map(
  'lic=license licence=license bus=business cat=category desc=description descr=description dt=date dttm=date num=number nbr=number no=number exp=expiration eff=effective loc=location addr=address iss=issued stat=status naic=naics tp=taxpayer nm=name cd=code lat=latitude lng=longitude lon=longitude neighbourhood=neighborhood nbhd=neighborhood nhood=neighborhood appl=application app=application biz=business acct=account lgl=legal own=owner inactv=inactive licns=license lics=license strt=start mun=municipality'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const GLUED = [
  ...SHORT.keys(),
  ...'account activity address anniversary applicant application area begin board business category certificate city class close closed code commenced commence community company corp council county created creation date dba description district document effective end entity entry expiration expire expires expiry fictitious file filed filing full home id inactive individual industry inside outside limits issue issued key kind latitude legal license location longitude mail mailing name naics neighborhood number of on open opened opening origin original outlet owner ownership permit person phone point postal product purpose reason received record register registered registration renewal site start started state subtype status street tax taxpayer town trade type unit update updated ward zip zipcode'.split(
    ' ',
  ),
].sort((a, b) => b.length - a.length);

/** A header without gaps as the words it is glued of; `undefined` where it is not made of words we know. */
function splitGluedWord(word: string): string[] | undefined {
  if (word === '') return [];
  for (const known of GLUED) {
    if (!word.startsWith(known)) continue;
    const rest = splitGluedWord(word.slice(known.length));
    if (rest !== undefined) return [known, ...rest];
  }
  return undefined;
}
