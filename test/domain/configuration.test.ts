/** Every environment variable is in .env.example and in docker-compose.yml. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const variables = [...read('platform/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? '')
const OF_THE_IMAGE = ['NODE_ENV']

const example = read('.env.example')
const compose = read('docker-compose.yml')

test('all variables are found', () => expect(variables.length).toBeGreaterThan(40))

test.each(variables)('%s is in .env.example', (name) => expect(example).toMatch(new RegExp(`^${name}=`, 'm')))

test.each(variables.filter((name) => !OF_THE_IMAGE.includes(name)))('%s is passed on by docker-compose.yml', (name) =>
  expect(compose).toMatch(new RegExp(`^ +${name}: `, 'm')),
)
