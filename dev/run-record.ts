/** Exclusive run on a data folder; `pids.json` names its processes. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { type Mark, findProcess, killGroup, stillRuns, stopProcess } from './machine/processes.ts'
import { CannotStart } from './terminal.ts'
import { writeFirst, writeWhole } from './machine/whole-files.ts'

type Run = { run: Mark; launchers: Mark[]; children: Record<string, Mark> }

export type RunRecord = {
  add: (name: string, mark: Mark) => void
  orphaned: () => boolean
  stopChildren: () => Promise<void>
  killChildren: () => void
  remove: () => void
}

const GRACE_MS = 5_000

/** Claims the folder: stops what a dead run left; refuses while another lives. */
export async function claimFolder(dataDir: string, say: (line: string) => void): Promise<RunRecord> {
  const file = join(dataDir, 'pids.json')
  const own: Run = { run: markOf(process.pid), launchers: launchersOf(process.pid), children: {} }
  while (!writeFirst(file, own)) {
    const earlier = readRun(file)
    if (earlier) await endEarlier(earlier, dataDir, say)
    rmSync(file, { force: true })
  }
  return {
    add: (name, { pid, started }) => {
      own.children[name] = { pid, started }
      writeWhole(file, own)
    },
    orphaned: () => !own.launchers.every(stillRuns),
    stopChildren: async () => {
      await Promise.all(Object.values(own.children).map((mark) => stopProcess(mark, GRACE_MS)))
    },
    killChildren: () => Object.values(own.children).forEach(killGroup),
    remove: () => rmSync(file, { force: true }),
  }
}

async function endEarlier(earlier: Run, dataDir: string, say: (line: string) => void): Promise<void> {
  if (stillRuns(earlier.run)) {
    if (earlier.launchers.every(stillRuns)) {
      throw new CannotStart(
        `It already runs on ${dataDir} (process ${earlier.run.pid}): stop that one with Ctrl-C or ` +
          `"kill ${earlier.run.pid}", or set DATA_DIR to another folder.`,
      )
    }
    say('An earlier run is still ending; waiting for it.')
    await stopProcess(earlier.run, 60_000)
  }
  const left = Object.entries(earlier.children).filter(([, mark]) => stillRuns(mark))
  if (!left.length) return
  say(`An earlier run was killed; stopping what it left running: ${left.map(([name]) => name).join(', ')}.`)
  await Promise.all(left.map(([, mark]) => stopProcess(mark, GRACE_MS)))
}

function readRun(file: string): Run | undefined {
  try {
    // written by claimFolder above
    return JSON.parse(readFileSync(file, 'utf8')) as Run
  } catch {
    return undefined
  }
}

function launchersOf(pid: number): Mark[] {
  const parent = findProcess(findProcess(pid)?.parent ?? 0)
  if (!parent || !/^(npm |\S*sh -c '?node |\S*node \S*npm)/.test(parent.command)) return []
  return [markOf(parent.pid), ...launchersOf(parent.pid)]
}

function markOf(pid: number): Mark {
  const { started } = findProcess(pid) ?? { started: '' }
  return { pid, started }
}
