/** Child process that opens bills' files: without secrets, with limits of memory and processor time. */
import { UnreadableBill, type UnreadableCode } from '../../domain/bills/reader.ts'
import { watchThisProcess } from './limits.ts'
import type { Task } from './process.ts'
import { openFile } from './readers.ts'
import { TESSERACT } from './pictures/recognition.ts'

export type Answer =
  /** A process that recognized a picture has grown. */
  | { readonly result: unknown; readonly isGrown: boolean }
  | { readonly code: UnreadableCode; readonly message: string }
  | { readonly crash: string }

/** Loads the decoders, restricted to the kinds of bills. */
async function loadPictures() {
  const pictures = await import('./pictures/files.ts')
  pictures.restrictDecoders()
  return pictures
}

async function answer({ file, page }: Task): Promise<Answer> {
  try {
    if (page) {
      // the decoders take memory that reading needs
      await loadPictures()
      const { drawing } = await import('./drawing.ts')
      return { result: await drawing(file, page.number, page.boxes), isGrown: false }
    }
    const result = await openFile(file, TESSERACT, loadPictures)
    return { result, isGrown: result.readings.some(({ method }) => method.startsWith('tesseract')) }
  } catch (error) {
    if (error instanceof UnreadableBill) return { code: error.code, message: error.message }
    return { crash: String(error) }
  }
}

watchThisProcess()
process.on('SIGINT', () => {}) // from a terminal: our parent drains, and ends us
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')) // an orderly exit would wait for the file
process.on('message', (task: Task) => {
  void answer(task).then((said) => process.send?.(said))
})
