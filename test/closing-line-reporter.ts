/** Vitest reporter: ends with `N passed, N failed` on its own line. */
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export default class ClosingLineReporter implements Reporter {
  /** Counts once: a file that failed without a failed test, an error outside tests, a failed setup. */
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    let [passed, failed] = [0, errors.length]
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      const failures = states.filter((state) => state === 'failed').length
      passed += states.filter((state) => state === 'passed').length
      failed += failures || (module.state() === 'failed' ? 1 : 0)
    }
    process.once('exit', (code) => console.log(`${passed} passed, ${code ? failed || 1 : failed} failed`))
  }
}
