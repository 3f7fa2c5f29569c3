/** Repeats the work, with a pause after each end. `stop` waits for the present round. */
export function repeatEvery(pauseMs: number, round: () => Promise<unknown>): { stop: () => Promise<void> } {
  let stopped = false
  let wake = () => {}
  const finished = (async () => {
    while (!stopped) {
      await round()
      if (stopped) return
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, pauseMs)
        wake = () => {
          clearTimeout(timer)
          resume()
        }
      })
    }
  })()
  return {
    stop() {
      stopped = true
      wake()
      return finished
    },
  }
}
