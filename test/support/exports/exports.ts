/** Exports: requested and fetched by their creator. */
import { type Answer, type TestPerson, api } from '../api.ts'
import { here } from '../files/files.ts'
import { until } from '../until.ts'

type Order = { type: string; format?: string; from?: string; to?: string; currency?: string; sample?: object }

/** A period that includes everything. */
const ALWAYS = { from: '2026-01-01', to: '2035-12-31' }

export const requestExport = (by: TestPerson, organizationId: string, order: Order, key?: string): Promise<Answer> =>
  api('POST', `/organizations/${organizationId}/exports`, {
    token: by.token,
    body: { ...ALWAYS, ...order },
    ...(key !== undefined && { key }),
  })

export const readExport = (by: TestPerson, id: string): Promise<Answer> =>
  api('GET', `/exports/${id}`, { token: by.token })

export const retryExport = (by: TestPerson, id: string, key?: string): Promise<Answer> =>
  api('POST', `/exports/${id}/retry`, { token: by.token, body: {}, ...(key !== undefined && { key }) })

export const becomes = (by: TestPerson, id: string, status: string, patienceMs?: number) =>
  until(
    `an export that has ${status}`,
    async () => {
      const { body } = await readExport(by, id)
      return body.status === status && body
    },
    patienceMs,
  )

export async function fetched(url: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(here(url))
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

export async function exported(by: TestPerson, organizationId: string, order: Order): Promise<Buffer> {
  const { status, body } = await requestExport(by, organizationId, order)
  if (status !== 201) throw new Error(`export: ${JSON.stringify(body)}`)
  const { download_url: url } = await becomes(by, body.id, 'completed')
  return (await fetched(url)).bytes
}
