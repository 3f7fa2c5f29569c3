/** Comments are as wide as code. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commentedFiles } from '../../../dev/docs/comments.ts'
import { wrapped } from '../../../dev/docs/wrap-comments.ts'

test('no comment passes 120 columns: `npm run format:comments` wraps them', () => {
  const wide = commentedFiles().filter((file) => {
    const text = readFileSync(file, 'utf8')
    return wrapped(text) !== text
  })
  expect(wide).toEqual([])
})

const long = `${'word '.repeat(30)}end`
const words = (text: string): string => text.replaceAll(/\s*\n\s*(\/\/|\*(?!\/)|--)/g, '').replaceAll(/\s+/g, ' ')

test.each([`/** ${long} */`, `/**\n * ${long}\n * and on\n */`, `  // ${long}`, `-- ${long}`])(
  '%s is wrapped',
  (comment) => {
    const better = wrapped(comment)
    expect(better.split('\n').filter((line) => line.length > 120)).toEqual([])
    expect(better.split('\n').length).toBeGreaterThan(1)
    expect(words(better).replace('/** ', '/**')).toContain(words(long))
    expect(wrapped(better)).toBe(better)
  },
)

test('items of lists stay items', () => {
  const [first, second, third] = wrapped(`// - item\n// - ${long}`).split('\n')
  expect([first, second?.slice(0, 9), third?.slice(0, 9)]).toEqual(['// - item', '// - word', '//   word'])
})

test('a comment after code goes above it', () => {
  expect(wrapped(`  call() // ${long}`).split('\n').at(-1)).toBe('  call()')
})

test.each([`const kept = '// ${long}'`, `// @ts-expect-error ${long}`, `  from t\`.catch(none) // ${long}`])(
  '%s stays as it is',
  (line) => expect(wrapped(line)).toBe(line),
)
