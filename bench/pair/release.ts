import { execFileSync } from 'node:child_process'
import budgets from '../budgets.json' with { type: 'json' }

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()

/** Names the last release: its tag, or the commit that the budgets name; undefined in a copy without its history. */
export function lastRelease(): string | undefined {
  return commitOf(() => git('describe', '--tags', '--abbrev=0', '--match', 'v*')) ?? commitOf(() => budgets.released)
}

function commitOf(name: () => string): string | undefined {
  try {
    const found = name()
    git('cat-file', '-e', `${found}^{commit}`)
    return found
  } catch {
    return undefined
  }
}
