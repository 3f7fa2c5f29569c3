/** Limits that hold whatever the main thread of this process does: processor time and memory. */
import { Worker } from 'node:worker_threads'

/** What a file may cost: 300 MB, with the 72 MB that the process begins with if it is compiled. */
const GROWTH_BYTES_MAX = 300_000_000 - 72_000_000
/** Of each WebAssembly's memory, in pages of 64 KiB. */
const WASM_PAGES_MAX = (176 * 1024 * 1024) / 65_536
/** Processor time of a step: opening a file or its XML, a page as it is written or drawn, the words of a picture. */
const STEPS_CPU_MS = { file: 10_000, page: 3_000, picture: 10_000 }
export type Step = keyof typeof STEPS_CPU_MS
/** Processor time for a file in all. */
const FILE_CPU_MS = 60_000
const LOOKED_AT_MS = 10

/** Ends this process with SIGKILL: an orderly exit would wait for the main thread. Plain JavaScript, as it stands. */
const WATCH = `
const { workerData: { ends, resident, every } } = require('node:worker_threads')
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
setInterval(() => {
  if (process.memoryUsage.rss() > resident || spent() > Atomics.load(ends, 0)) process.kill(process.pid, 'SIGKILL')
}, every)`

type Memory = { readonly buffer: ArrayBuffer; grow: (this: Memory, pages: number) => number }
// a cast: of WebAssembly the types of Node have less than Node has
const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }

/** The processor time of this process, in milliseconds, at which it is ended. */
const ends = new Int32Array(new SharedArrayBuffer(4))
let fileEndsMs = Infinity
let isWatched = false

/** From now on this process is ended if it takes too much: beginFile() and nextStep() say how long it may go on. */
export function watchThisProcess(): void {
  isWatched = true
  beginFile()
  const workerData = { ends, resident: process.memoryUsage.rss() + GROWTH_BYTES_MAX, every: LOOKED_AT_MS }
  new Worker(WATCH, { eval: true, execArgv: [], workerData }).unref()
  const { prototype } = webAssembly.Memory
  const { grow } = prototype
  prototype.grow = function limited(pages) {
    if (this.buffer.byteLength / 65_536 + pages > WASM_PAGES_MAX) throw new RangeError('the memory is at its limit')
    return grow.call(this, pages)
  }
}

/** Begins the time of another file, with the step that opens it. */
export function beginFile(): void {
  if (isWatched) fileEndsMs = spentMs() + FILE_CPU_MS
  nextStep('file')
}

/** Begins the time of a step, which ends with that of the file at the latest. */
export function nextStep(step: Step): void {
  Atomics.store(ends, 0, stepEndsMs(step, spentMs(), fileEndsMs))
}

/** Computes the processor time at which a step that begins now has to be done. */
export const stepEndsMs = (step: Step, nowMs: number, fileMs: number): number =>
  Math.round(Math.min(nowMs + STEPS_CPU_MS[step], fileMs))

/** Says whether the file has time left for a page that is a picture: to draw it, and to recognize its words. */
export const hasTimeForPicture = (): boolean => spentMs() + STEPS_CPU_MS.page + STEPS_CPU_MS.picture <= fileEndsMs

function spentMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
