/** Every environment variable of the service is documented in each place where readers look. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const variables = [...read('platform/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? '')
const OF_THE_IMAGE = ['NODE_ENV']

const table = read('README.md')
  .split('\n')
  .filter((line) => /^\| `[A-Z]/.test(line))
  .map((line) => line.split(' | ')[0])
  .join('\n')
const example = read('.env.example')
const compose = read('docker-compose.yml')

test('all variables are found', () => expect(variables.length).toBeGreaterThan(40))

describe.each(variables)('%s', (name) => {
  test('is in the table of README.md', () => expect(table).toContain(`\`${name}\``))
  test('is in .env.example', () => expect(example).toMatch(new RegExp(`^${name}=`, 'm')))
})

test.each(variables.filter((name) => !OF_THE_IMAGE.includes(name)))('%s is passed on by docker-compose.yml', (name) =>
  expect(compose).toMatch(new RegExp(`^ +${name}: `, 'm')),
)
