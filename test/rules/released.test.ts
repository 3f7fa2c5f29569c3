/** Changes of the API since the released document: none breaks a client unless the page of changes says so. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Document, listBreakingChanges } from '../../dev/release/breaking-changes.ts'

const read = (name: string): Document => JSON.parse(readFileSync(name, 'utf8'))
const released = read('openapi.released.json')

test('what breaks clients of the released document is declared in docs/api-changes.md', () => {
  const page = readFileSync('docs/api-changes.md', 'utf8')
  const changes = listBreakingChanges(released, read('openapi.json'))
  expect(changes.filter((change) => !page.includes(`- ${change}`))).toEqual([])
})

test('a change that breaks a client is found', () => {
  const path = '/api/v1/payments/{payment_id}'
  const changed: any = structuredClone(released)
  const { parameters } = changed.paths[path].get
  parameters.push({ name: 'more', in: 'query', required: true, schema: { type: 'string' } })
  delete changed.components.schemas.Payment.properties.status_detail
  changed.components.schemas.Rail.enum.push('pigeon')
  changed.components.schemas.PaymentChange.required = ['tag']
  delete changed.paths['/api/v1/payments'].post
  const found = [
    `get ${path}: parameter more is required`,
    `get ${path} 200: status_detail is gone`,
    `get ${path} 200.rail: "pigeon" is new`,
    `patch ${path} body: tag is required`,
    'post /api/v1/payments: is gone',
  ]
  expect(listBreakingChanges(released, changed)).toEqual(expect.arrayContaining(found))
})
