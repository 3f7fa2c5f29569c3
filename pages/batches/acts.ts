/** Forms of a batch: its rows, its submission, and its end. */
import type { Batch } from '../../domain/batches/batch.ts'
import { COLUMNS } from '../../domain/batches/columns.ts'
import { type Act, type ApiCall, type Fault, act, readChanges } from '../frame/act.ts'
import { refusalIn } from '../frame/viewer.ts'
import { batchPage } from './batch.ts'

const pathOf = ({ company, id }: Act): string => `/o/${company}/batches/${id}`

/** Leads back to the rows that a form stood among. */
const backTo =
  (done: string) =>
  (_: unknown, given: Act): string => {
    const query = new URLSearchParams(given.form.get('at'))
    query.delete('edit')
    query.set('done', done)
    return `${pathOf(given)}?${query.toString()}`
  }

const again = (viewer: Parameters<ReturnType<typeof batchPage>>[0], fault: Fault) => batchPage(fault)(viewer)

const rowPath = ({ viewer, id }: Act): string => `/payment-batches/${id}/rows/${viewer.http.req.param('row') ?? ''}`

/** Changes cells of a row: those alone that are another text now. */
export const changeRow = act({
  ask: (given): ApiCall => ({ method: 'PATCH', path: rowPath(given), body: readChanges(given.form, COLUMNS) }),
  then: backTo('saved'),
  again,
})

/** Adds a row; the key of the form adds it once. */
export const addRow = act({
  ask: ({ id, form }): ApiCall => ({
    path: `/payment-batches/${id}/rows`,
    body: readChanges(form, COLUMNS),
    key: form.get('key'),
  }),
  then: backTo('added'),
  again,
})

export const removeRow = act({
  ask: (given): ApiCall => ({ method: 'DELETE', path: rowPath(given) }),
  then: backTo('removed'),
  again,
})

/** Asks for the approval of all rows that can be paid. */
export const submit = act({
  ask: ({ id, form }): ApiCall => ({
    path: `/payment-batches/${id}/submit`,
    body: {
      exclude_invalid: form.get('exclude') === 'yes',
      acknowledge_payee_check: form.get('acknowledged') === 'yes',
      ...(form.get('day') && { execute_on: form.get('day') }),
    },
    key: form.get('key'),
  }),
  then: (_, given) => `${pathOf(given)}?done=asked`,
  again,
})

export const cancel = act({
  ask: ({ id }): ApiCall => ({ path: `/payment-batches/${id}/cancel`, body: {} }),
  then: (_, given) => `${pathOf(given)}?done=ended`,
  again,
})

/** Withdraws the request for approval, which cancels the batch. */
export const withdraw = act({
  ask: async ({ viewer, company, id }): Promise<ApiCall> => {
    const answer = await viewer.call<Batch>('GET', `/payment-batches/${id}`)
    if (!answer.ok) throw refusalIn(answer.error)
    return { path: `/organizations/${company}/approvals/${answer.body.approval_request_id ?? ''}/cancel`, body: {} }
  },
  then: (_, given) => `${pathOf(given)}?done=ended`,
  again,
})

export const remove = act({
  ask: ({ id }): ApiCall => ({ method: 'DELETE', path: `/payment-batches/${id}` }),
  then: (_, { company }) => `/o/${company}/batches?done=deleted`,
  again,
})
