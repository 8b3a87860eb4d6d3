/** Tests that every change runs on a small scale, here at the size of the promises: 200 people and each kill, 50 weeks and 20 leaders killed, 500 random courses. */

Object.assign(process.env, { PEOPLE: '200', WEEKS: '50', KILLS: '20', COURSES: '500' });
await import('../newsletter/killed.test.ts');
await import('../newsletter/killed-postgres.test.ts');
await import('../newsletter/courses.test.ts');
await import('../service/instances.test.ts');
