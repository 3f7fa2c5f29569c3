/** Helpers: children that do one long thing and end. The end of this process is theirs, with all that they began. */
import type { ChildProcess } from 'node:child_process'

import { type Mark, findProcess, killTree } from './processes.ts'

const underWay = new Set<Mark>()
let ending = false

/** Thrown instead of a beginning once all has to end. */
export class Ending extends Error {}

/** Begins a helper, which must lead a process group of its own: a Ctrl-C in the terminal ends it only through us. */
export function beginHelper<Child extends ChildProcess>(begin: () => Child): Child {
  refuseWhileEnding()
  const child = begin()
  const mark = findProcess(child.pid ?? 0)
  if (mark) {
    underWay.add(mark)
    child.once('exit', () => underWay.delete(mark))
  }
  return child
}

/** Refuses to begin what would outlive us. */
export function refuseWhileEnding(): void {
  if (ending) throw new Ending('Stopped before it was ready.')
}

/** Kills the helpers under way; from now on none begins. */
export function endHelpers(): void {
  ending = true
  for (const mark of underWay) killTree(mark)
}

process.once('exit', endHelpers)
