/** `npm run check:rules`: what the house must look like; without servers, in milliseconds. */
export default { test: { include: ['test/rules/static/**/*.test.ts'], reporters: ['dot'] } }
