/** Forms of a bill: its fields, another reading, and its end. */
import type { Bill } from '../../domain/bills/bill.ts'
import { type Act, type ApiCall, type Fault, Unclear, act } from '../frame/act.ts'
import type { Viewer } from '../frame/viewer.ts'
import { billPage } from './bill.ts'
import { readChange } from './fields.ts'
import { typePage } from './type.ts'

const backTo =
  (done: string) =>
  (_: unknown, { company, id }: Act): string =>
    `/o/${company}/bills/${id}?done=${done}`

const again = (viewer: Viewer, fault: Fault) => billPage(fault)(viewer)

/** Changes the fields that were typed, and those that were confirmed: no other one becomes typed. */
export const changeBill = act({
  ask: ({ viewer, form, id }): ApiCall => {
    const change = readChange(form, viewer)
    if (Object.keys(change).length === 0) throw new Unclear(viewer.words.bills.one.unchanged)
    return { method: 'PATCH', path: `/bills/${id}`, body: change }
  },
  then: backTo('saved'),
  again,
})

export const readAgain = act({
  ask: ({ id }): ApiCall => ({ path: `/bills/${id}/extract`, body: {} }),
  then: backTo('again'),
  again,
})

export const cancelBill = act({
  ask: ({ id }): ApiCall => ({ path: `/bills/${id}/cancel`, body: {} }),
  then: backTo('cancelled'),
  again,
})

/** Makes a bill of what was typed; the key of the form makes it once. */
export const typeBill = act<Bill>({
  ask: ({ viewer, form, company }): ApiCall => {
    const typed = Object.fromEntries(Object.entries(readChange(form, viewer)).filter(([, value]) => value !== null))
    if (Object.keys(typed).length === 0) throw new Unclear(viewer.words.bills.typed.nothing)
    return { path: `/organizations/${encodeURIComponent(company)}/bills`, body: typed, key: form.get('key') }
  },
  then: ({ id }, { company }) => `/o/${company}/bills/${id}?done=typed`,
  again: (viewer, fault) => typePage(fault)(viewer),
})
