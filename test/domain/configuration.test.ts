/** Every environment variable is in .env.example and in docker-compose.yml. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const settings = ['platform/config.ts', 'platform/bill-mail.ts'].map(read).join('\n')
const variables = [...settings.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? '')
const OF_THE_IMAGE = ['NODE_ENV']

const example = read('.env.example')
const compose = read('docker-compose.yml')

test('every variable is in .env.example, and passed on by docker-compose.yml', () => {
  expect(variables.length).toBeGreaterThan(40)
  const lacking = (text: string, line: (name: string) => string) =>
    variables.filter((name) => !new RegExp(line(name), 'm').test(text))
  expect(lacking(example, (name) => `^${name}=`)).toEqual([])
  const left = lacking(compose, (name) => `^ +${name}: `)
  expect(left.filter((name) => !OF_THE_IMAGE.includes(name))).toEqual([])
})

test('the chart for Kubernetes names only settings that exist, and programs of the image', () => {
  const templates = ['settings', 'migrate', 'api', 'workers', 'deploy'].map((name) =>
    read(`ops/helm/templates/${name}.yaml`),
  )
  const text = [read('ops/helm/values.yaml'), ...templates].join('\n')
  const named = [...text.matchAll(/^ {2}([A-Z][A-Z_]+): |name: ([A-Z][A-Z_]+),/gm)].map(
    ([, one, other]) => one ?? other,
  )
  expect(named.length).toBeGreaterThan(8)
  const known = [...variables, 'NODE_OPTIONS'] // the last is of Node.js itself
  expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([])
  const programs = [...text.matchAll(/node, dist\/(.+)\.js\]/g)].map(([, path]) => `${path}.ts`)
  expect(programs.length).toBeGreaterThan(3)
  expect(programs.filter((path) => !existsSync(path))).toEqual([])
})
