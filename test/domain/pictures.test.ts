/** Uploads of pictures when the decoder cannot start. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { longTest } from '../support/model-runs.ts'

/** A process without free file descriptors uploads twice, and again once it has some. */
const UPLOADS = `
  const { openSync, closeSync } = await import('node:fs')
  const { default: sharp } = await import('sharp')
  const { squarePicture } = await import('./documents/pictures/pictures.ts')
  const png = await sharp({ create: { width: 5, height: 5, channels: 3, background: 'red' } }).png().toBuffer()
  const upload = () => squarePicture(png, { person: 'one' }).then(({ length }) => length > 0, ({ type, message }) => type ?? message)
  const files = []
  const take = () => { try { for (;;) files.push(openSync('/dev/null')) } catch {} }
  take()
  const taking = setInterval(take) // those that others free meanwhile, too
  const answers = [await upload(), await upload()]
  clearInterval(taking)
  await new Promise((resolve) => setImmediate(resolve))
  files.forEach((file) => closeSync(file))
  console.log(JSON.stringify([...answers, await upload()]))
  process.exit()`

longTest('without files left pictures are put off, and nothing else ends', async () => {
  const shell = 'ulimit -n 200 && exec "$0" --import tsx --input-type=module -e "$1"'
  const { stdout } = await promisify(execFile)('sh', ['-c', shell, process.execPath, UPLOADS])
  // among its logs, which may come later
  expect(stdout.split('\n')).toContain('["service_unavailable","service_unavailable",true]')
})
