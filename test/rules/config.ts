/** `npm run check:rules`: rules of the house, without servers, in milliseconds. */
export default { test: { include: ['test/rules/**/*.test.ts'], reporters: ['dot'], testTimeout: 60_000 } }
