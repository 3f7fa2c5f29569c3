/** Bills: handed in as files or typed, looked through and corrected. */
import * as v from 'valibot'
import { findBill, findBillDetail, findBillFile, listBills } from '../../db/bills/bills.ts'
import { cancelBill, changeBill, createBill, requestExtraction } from '../../db/bills/changes.ts'
import { findProvenance } from '../../db/bills/provenance.ts'
import { openSlot, slotOf } from '../../db/files/files.ts'
import { receiveUpload } from '../../db/files/uploads.ts'
import { takeClaim } from '../../db/idempotency.ts'
import {
  Bill,
  BillChange,
  BillDetail,
  BillFile,
  BillFilters,
  NewBill,
  NewBillFile,
  Provenance,
} from '../../domain/bills/bill.ts'
import { UploadSlot } from '../../domain/files/file.ts'
import type { BillId } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { type Tx, within } from '../../db/sql.ts'
import { inPath } from '../http/in-path.ts'
import { extractions, newBills, uploadSlots } from '../http/limits.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { type Context, route } from '../http/route.ts'

const PATH = '/organizations/{organization_id}/bills'
const ofOrganization = { tag: 'Bills', ...inPath('organization') } as const
const ofBill = { tag: 'Bills', ...inPath('bill') } as const

export const bills = [
  route({
    ...ofOrganization,
    method: 'post',
    path: `${PATH}/upload`,
    operationId: 'createBillUpload',
    summary: 'Ask for a slot for the file of a bill: PUT it there, then make a bill of it',
    can: 'bills.create',
    limits: [uploadSlots],
    body: NewBillFile,
    returns: UploadSlot,
    status: 201,
    create: ({ write, org, claim, body }) =>
      write(async (tx) => {
        if (claim.keyed && !(await takeClaim(tx, claim))) return false
        const { filename, byte_size: byteSize, content_type: contentType } = body
        const slot = { purpose: 'bill', ownerId: org.organizationId, filename, byteSize, contentType } as const
        await openSlot(tx, { ...slot, id: claim.id })
        return true
      }),
    replay: ({ read, claim }) => slotOf(read, claim.id),
  }),
  route({
    ...ofOrganization,
    method: 'post',
    path: PATH,
    operationId: 'createBill',
    summary: 'Make a bill of a file, which is then read, or of what you know of it',
    note: 'The bill is `extracting` until its file is read; what you have typed is kept.',
    can: 'bills.create',
    limits: [newBills],
    refuses: [409, 415],
    body: NewBill,
    returns: Bill,
    status: 201,
    create: async ({ write, org, person, claim, body }) => {
      const { organizationId } = org
      const { file_id: fileId } = body
      if (fileId) await receiveUpload(organizationId, { fileId, purpose: 'bill', ownerId: organizationId })
      return repeating(() => write((tx) => createBill(tx, person, claim, body), BRIEF_LOCKS))
    },
    replay: ({ read, claim }) => findBill(read, claim.id),
  }),
  route({
    ...ofOrganization,
    method: 'get',
    path: PATH,
    operationId: 'listBills',
    summary: 'List bills, newest first',
    can: 'bills.list',
    query: BillFilters,
    returns: pageOf(Bill),
    handle: ({ read, query }) => listBills(read, query),
  }),
  route({
    ...ofBill,
    method: 'get',
    path: '/bills/{bill_id}',
    operationId: 'getBill',
    summary: 'Read a bill with its whole history, oldest first, and with others that may be the same',
    can: 'bills.read',
    returns: BillDetail,
    handle: ({ read, params }) => findBillDetail(read, params.bill_id),
  }),
  route({
    ...ofBill,
    method: 'patch',
    path: '/bills/{bill_id}',
    operationId: 'updateBill',
    summary: 'Type what is known of a bill; no reading overwrites it',
    note: 'What is absent stays, null empties.',
    can: 'bills.update',
    refuses: [409],
    body: BillChange,
    returns: Bill,
    handle: ({ write, person, params, body }) =>
      changed(write, params.bill_id, (tx, id) => changeBill(tx, person, id, body)),
  }),
  route({
    ...ofBill,
    method: 'post',
    path: '/bills/{bill_id}/extract',
    operationId: 'extractBill',
    summary: 'Have the file of a bill read again; what people typed stays',
    can: 'bills.update',
    limits: [extractions],
    refuses: [409],
    body: v.object({}),
    returns: Bill,
    handle: ({ write, person, params }) =>
      changed(write, params.bill_id, (tx, id) => requestExtraction(tx, person, id)),
  }),
  route({
    ...ofBill,
    method: 'post',
    path: '/bills/{bill_id}/cancel',
    operationId: 'cancelBill',
    summary: 'Put a bill away that nobody is to pay',
    can: 'bills.cancel',
    refuses: [409],
    body: v.object({}),
    returns: Bill,
    handle: ({ write, person, params }) => changed(write, params.bill_id, (tx, id) => cancelBill(tx, person, id)),
  }),
  route({
    ...ofBill,
    method: 'get',
    path: '/bills/{bill_id}/file',
    operationId: 'getBillFile',
    summary: 'Fetch the original: a fresh link, good for 15 minutes',
    can: 'bills.read',
    returns: BillFile,
    handle: ({ read, params }) => findBillFile(read, params.bill_id),
  }),
  route({
    ...ofBill,
    method: 'get',
    path: '/bills/{bill_id}/provenance',
    operationId: 'getBillProvenance',
    summary: 'Read where each value of a bill comes from: who typed it, or what was read on which page and where',
    can: 'bills.read',
    returns: Provenance,
    handle: ({ read, params }) => findProvenance(read, params.bill_id),
  }),
]

/** Does the work on a bill in one transaction, again if that was broken off, and answers the bill as it is after it. */
export const changed = (
  write: Context<'write'>['write'],
  id: BillId,
  work: (tx: Tx, id: BillId) => Promise<void>,
): Promise<Bill> =>
  repeating(() =>
    write(async (tx) => {
      await work(tx, id)
      return findBill(within(tx), id)
    }, BRIEF_LOCKS),
  )
