/** Limits that hold whatever the main thread of this process does: processor time and memory. */
import { Worker } from 'node:worker_threads'

/** What a file may cost: 300 MB, with the 72 MB that the process begins with if it is compiled. */
const GROWTH_BYTES_MAX = 300_000_000 - 72_000_000
/** Of each WebAssembly's memory, in pages of 64 KiB. */
const WASM_PAGES_MAX = (176 * 1024 * 1024) / 65_536
/** Processor time for a step: opening a file and reading its text, or recognizing one page. */
const STEP_CPU_MS = 10_000
const LOOKED_AT_MS = 10

/** Ends this process with SIGKILL: an orderly exit would wait for the main thread. Plain JavaScript, as it stands. */
const WATCH = `
const { workerData: { began, resident, cpuMs, every } } = require('node:worker_threads')
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
setInterval(() => {
  if (process.memoryUsage.rss() > resident || spent() - Atomics.load(began, 0) > cpuMs) process.kill(process.pid, 'SIGKILL')
}, every)`

type Memory = { readonly buffer: ArrayBuffer; grow: (this: Memory, pages: number) => number }
// a cast: of WebAssembly the types of Node have less than Node has
const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }

const began = new Int32Array(new SharedArrayBuffer(4))

/** From now on this process is ended if it takes too much. Time counts from the last nextStep(). */
export function watchThisProcess(): void {
  nextStep()
  const workerData = {
    began,
    resident: process.memoryUsage.rss() + GROWTH_BYTES_MAX,
    cpuMs: STEP_CPU_MS,
    every: LOOKED_AT_MS,
  }
  new Worker(WATCH, { eval: true, execArgv: [], workerData }).unref()
  const { prototype } = webAssembly.Memory
  const { grow } = prototype
  prototype.grow = function limited(pages) {
    if (this.buffer.byteLength / 65_536 + pages > WASM_PAGES_MAX) throw new RangeError('the memory is at its limit')
    return grow.call(this, pages)
  }
}

export function nextStep(): void {
  const { user, system } = process.cpuUsage()
  Atomics.store(began, 0, Math.round((user + system) / 1000))
}
