/** Mails of strangers: read in a process of its own, which is ended if a mail asks for too much. */
import type { MailFacts, MailTask, ReadFile } from '../mails/read.ts'
import { FileRefused, readParts } from './process.ts'

/** Real time in which its process has to do some work. */
const READING_MS_MAX = 120_000

export type ReadMail = { readonly facts: MailFacts; readonly files: readonly ReadFile[] }

/** Reads a mail; null for one that asks for too much, or is none. Throws what may pass. */
export async function readMail(task: MailTask, signal?: AbortSignal): Promise<ReadMail | null> {
  const files: ReadFile[] = []
  let facts: MailFacts | undefined
  try {
    for await (const part of readParts('mail', task, { msMax: READING_MS_MAX, byProgress: true, signal })) {
      if ('facts' in part) ({ facts } = part) // read on: a process that has ended its work serves the next mail
      else files.push(part.file)
    }
    if (!facts) throw new Error('a mail was read without its facts')
    return { facts, files }
  } catch (error) {
    if (error instanceof FileRefused) return null
    throw error
  }
}
