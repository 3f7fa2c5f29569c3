/** Before a test file is loaded: a database of its own, and the environment that every part of the service reads. */
import { randomBytes } from 'node:crypto'

import postgres from 'postgres'
import { inject } from 'vitest'

import { freePort } from '../dev/ports.ts'

const serverUrl = inject('serverUrl')
const mark = randomBytes(6).toString('hex')
const database = `test_${mark}`

const server = postgres(serverUrl, { max: 1, onnotice: () => {} })
await server`create database ${server(database)} template ${server(inject('template'))}`
await server.end()

const address = (user: string, password: string) =>
  Object.assign(new URL(serverUrl), { username: user, password, pathname: database }).href

Object.assign(process.env, {
  DATABASE_URL: address('business_finance_app', inject('appPassword')),
  /** The owner on the same copy: sees every row. */
  MIGRATION_DATABASE_URL: address('postgres', new URL(serverUrl).password),
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  TEMPORAL_NAMESPACE: 'default',
  TASK_QUEUE_PREFIX: `${mark}-`,
  WORKFLOW_BUNDLE: inject('workflowBundle'),
  LOG_LEVEL: process.env['LOG_LEVEL'] || 'silent',
  SERVICE_ENV: 'test',
  PORT: '0',
  /** Where usePartners() starts them; files that do not find nobody there. */
  SANDBOX_PARTNERS_URL: `http://127.0.0.1:${await freePort()}`,
  SANDBOX_SETTLE_MS: '20',
  PARTNER_TIMEOUT_MS: '1000',
  PARTNER_POLL_SECONDS: '0.1',
})
