/** Processes of this machine, told apart from later ones with the same id. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Process identity that can be stored: the id and the start time. */
export type Mark = { pid: number; started: string }
/** A living process. `worked` is its processor time in whole seconds, to be compared. */
export type Process = Mark & { parent: number; command: string; worked: string }

/** Ticks of a second in /proc, on all processors of today. */
const TICKS = 100

/** Finds the living process with this id; a zombie counts as gone. */
export function findProcess(pid: number): Process | undefined {
  try {
    return process.platform === 'linux' ? readProc(pid) : askPs(pid)
  } catch {
    return undefined
  }
}

export function stillRuns(mark: Mark): boolean {
  return findProcess(mark.pid)?.started === mark.started
}

export function childrenOf(pid: number): Process[] {
  const pids =
    process.platform === 'linux'
      ? readdirSync('/proc').filter((name) => /^\d+$/.test(name))
      : execFileSync('ps', ['-A', '-o', 'pid='], { encoding: 'utf8' }).split(/\s+/).filter(Boolean)
  return pids.flatMap((id) => findProcess(Number(id)) ?? []).filter((found) => found.parent === pid)
}

/** Lists the living children of a process, and theirs. Those of a dead parent are not found. */
export function descendantsOf(pid: number): Process[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child.pid)])
}

/** Kills a process, all that it has begun, and their process groups. */
export function killTree(mark: Mark): void {
  const all = stillRuns(mark) ? [mark, ...descendantsOf(mark.pid)] : []
  for (const each of all) killGroup(each)
}

/** Signals the process and waits; kills its group after `graceMs`. Never touches a later process with its id. */
export async function stopProcess(mark: Mark, graceMs: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (!stillRuns(mark)) return
  sendSignal(mark, signal)
  const deadline = Date.now() + graceMs
  while (stillRuns(mark)) {
    if (Date.now() > deadline) killGroup(mark)
    await delay(20)
  }
}

/** Sends the signal if the marked process still runs; tells whether it did. */
export function sendSignal(mark: Mark, signal: NodeJS.Signals): boolean {
  try {
    return stillRuns(mark) && process.kill(mark.pid, signal)
  } catch {
    return false
  }
}

/** Kills the process with the group that it leads, if it leads one. */
export function killGroup(mark: Mark): void {
  try {
    if (stillRuns(mark)) process.kill(-mark.pid, 'SIGKILL')
  } catch {
    sendSignal(mark, 'SIGKILL')
  }
}

/** Parses /proc/<pid>/stat. The command may hold spaces and brackets: fields are read after it. */
function readProc(pid: number): Process | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  const worked = String(Math.floor((Number(fields[11]) + Number(fields[12])) / TICKS))
  return { pid, parent: Number(fields[1]), started: `${boot}/${fields[19]}`, command, worked }
}

function askPs(pid: number): Process | undefined {
  const format = ['-o', 'ppid=', '-o', 'stat=', '-o', 'lstart=', '-o', 'time=', '-o', 'command=']
  const line = execFileSync('ps', [...format, '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  const found = /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+([\d:]+)\S*\s+(.*)$/.exec(line)
  if (!found?.[1] || !found[2] || !found[3] || !found[4] || found[2].startsWith('Z')) return undefined
  return { pid, parent: Number(found[1]), started: found[3], worked: found[4], command: found[5] ?? '' }
}
