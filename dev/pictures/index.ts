/** `npm run pictures`: photographs pages for the docs, on a stage of its own; `-- --compare` writes nothing. */
import { readFileSync, writeFileSync } from 'node:fs'

import { CannotStart } from '../terminal.ts'
import type { Picture } from './pages.ts'
import { onStage } from './stage.ts'
import { differences } from './words.ts'

const WORDS_FILE = 'docs/pictures.json'
type Words = Record<string, readonly string[]>
const compares = process.argv.includes('--compare')

try {
  await onStage(async () => {
    const { photographAll } = await import('./pages.ts') // it reads what the stage wrote
    const pictures = await photographAll()
    if (compares) compare(pictures)
    else write(pictures)
  })
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}

function write(pictures: readonly Picture[]): void {
  const words: Words = Object.fromEntries(pictures.map(({ file, lines }) => [file, lines]))
  for (const { file, image } of pictures) writeFileSync(file, image)
  writeFileSync(WORDS_FILE, `${JSON.stringify(words, null, 2)}\n`)
  console.log(`Written: ${pictures.map(({ file }) => file).join(', ')}, ${WORDS_FILE}. Look at them.`)
}

/** Refuses pictures of pages that have changed since, by the words that each page had. */
function compare(pictures: readonly Picture[]): void {
  // written above and nowhere else
  const words = JSON.parse(readFileSync(WORDS_FILE, 'utf8')) as Words
  const faults = pictures.flatMap(({ file, lines }) => {
    const differing = differences(words[file] ?? [], lines)
    return differing.length > 0
      ? [`${file} shows a page that has changed:`, ...differing.map((line) => `  ${line}`)]
      : []
  })
  if (faults.length > 0)
    throw new CannotStart(`${faults.join('\n')}\nRun \`npm run pictures\`, and look at what it makes.`)
  console.log(`${pictures.length} pictures are as the pages are.`)
}
