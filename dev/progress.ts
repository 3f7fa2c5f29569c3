/** What the terminal shows: one calm line for each thing that is done, with the time it took. */
export const say = (line: string): void => console.log(line)

/** Does the work and says so in one line; `describe` adds what there is to know about the result. */
export async function step<Result>(
  name: string,
  work: () => Promise<Result>,
  describe: (result: Result) => string = () => '',
): Promise<Result> {
  const begun = performance.now()
  const result = await work()
  say(`  ${name.padEnd(20)} ${seconds(performance.now() - begun).padStart(7)}   ${describe(result)}`.trimEnd())
  return result
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
