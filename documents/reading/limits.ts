/** Limits of processor time and memory, which hold even if the main thread is busy. */
import { Worker } from 'node:worker_threads'

/**
 * Growth limit: 400 MB in all, of which a compiled process has 72 MB at its start. A page of a scanner takes 180 to 280 MB
 * more, by when its compiler of WebAssembly runs: at 300 MB in all one clean page of four was refused on a busy machine.
 */
const GROWTH_BYTES_MAX = 400_000_000 - 72_000_000
/** Limit of each WebAssembly memory, in pages of 64 KiB. */
const WASM_PAGES_MAX = (176 * 1024 * 1024) / 65_536
/**
 * Processor time of a step: opening a bill or XML, a written or drawn page, words of a picture or decoding one, all
 * attachments of a request, the table of a batch, the reference rates of a day, a mail or one within it, a file of a bank,
 * a list of sanctions.
 */
const STEPS_CPU_MS = {
  file: 10_000,
  page: 3_000,
  picture: 10_000,
  attachments: 3_000,
  table: 30_000,
  rates: 2_000,
  mail: 10_000,
  bankFile: 45_000,
  sanctions: 45_000,
}
export type Step = keyof typeof STEPS_CPU_MS
const FILE_CPU_MS = 60_000
/**
 * Processor time of a recognized page, and of a document. Reading then answers what it has, with doubts. Steps end later:
 * what ends a process is one that does not look at its time.
 */
const [PAGE_WORK_MS, DOCUMENT_WORK_MS] = [4500, 30_000]
/** More of it for the lines of fields: beside other work of the machine, the same work takes twice as long. */
const FIELDS_WORK_MS = 3000
const LOOKED_AT_MS = 10

/** Signal of a process that used up its time; one of much memory is ended by SIGKILL. */
const OUT_OF_TIME = 'SIGVTALRM'

/** Watchdog, killing this process by a signal: an orderly exit would wait for the main thread. Plain JavaScript. */
const WATCH = `
const { workerData: { ends, resident, every } } = require('node:worker_threads')
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
setInterval(() => {
  if (process.memoryUsage.rss() > resident) process.kill(process.pid, 'SIGKILL')
  if (spent() > Atomics.load(ends, 0)) process.kill(process.pid, '${OUT_OF_TIME}')
}, every)`

type Memory = { readonly buffer: ArrayBuffer; grow: (this: Memory, pages: number) => number }
// a cast: Node's types of WebAssembly are incomplete
const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }

/** Processor time, in milliseconds, at which this process is killed. */
const ends = new Int32Array(new SharedArrayBuffer(4))
let fileEndsMs = Infinity
let [pageWorkEndsMs, documentWorkEndsMs] = [Infinity, Infinity]
let isWatched = false

/** Starts the watchdog. beginFile() and nextStep() set its limits. */
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

/** Starts the time of a file, and of its first step. */
export function beginFile(step: Step = 'file'): void {
  if (isWatched) [fileEndsMs, documentWorkEndsMs] = [cpuMs() + FILE_CPU_MS, cpuMs() + DOCUMENT_WORK_MS]
  nextStep(step)
}

/** Starts the time of a step, within that of the file. */
export function nextStep(step: Step): void {
  Atomics.store(ends, 0, stepEndsMs(step, cpuMs(), fileEndsMs))
}

/** Computes the processor time at which a step must be done. */
export const stepEndsMs = (step: Step, nowMs: number, fileMs: number): number =>
  Math.round(Math.min(nowMs + STEPS_CPU_MS[step], fileMs))

/** Tells whether the document has time left to draw and recognize a page. */
export const hasTimeForPicture = (): boolean => cpuMs() + PAGE_WORK_MS <= documentWorkEndsMs

/** Starts the work on a recognized page. */
export function beginPageWork(): void {
  if (isWatched) pageWorkEndsMs = cpuMs() + PAGE_WORK_MS
}

/** Tells whether the page has processor time left, of this process alone: that of others does not count. */
export const hasTimeForPage = (isOfField = false): boolean =>
  cpuMs() < pageWorkEndsMs + (isOfField ? FIELDS_WORK_MS : 0)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
