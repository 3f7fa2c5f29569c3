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
import { extractions, newBills, uploadSlots } from '../http/limits.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'

const { command, query } = operations('Bills')

export const bills = [
  command('post', '/organizations/{organization_id}/bills/upload', 'createBillUpload')
    .says('Ask for a slot for the file of a bill: PUT it there, then make a bill of it')
    .of('organization')
    .can('bills.create')
    .takes(NewBillFile)
    .limited(uploadSlots)
    .creates(UploadSlot, ({ read, claim }) => slotOf(read, claim.id))
    .makes(({ write, org, claim, body }) =>
      write(async (tx) => {
        if (claim.keyed && !(await takeClaim(tx, claim))) return false
        const { filename, byte_size: byteSize, content_type: contentType } = body
        const slot = { purpose: 'bill', ownerId: org.organizationId, filename, byteSize, contentType } as const
        await openSlot(tx, { ...slot, id: claim.id })
        return true
      }),
    ),
  command('post', '/organizations/{organization_id}/bills', 'createBill')
    .says(
      'Make a bill of a file, which is then read, or of what you know of it',
      'The bill is `extracting` until its file is read; what you have typed is kept.',
    )
    .of('organization')
    .can('bills.create')
    .takes(NewBill)
    .limited(newBills)
    .refuses(409, 415)
    .creates(Bill, ({ read, claim }) => findBill(read, claim.id))
    .makes(async ({ write, org, person, claim, body }) => {
      const { organizationId } = org
      const { file_id: fileId } = body
      if (fileId) await receiveUpload(organizationId, { fileId, purpose: 'bill', ownerId: organizationId })
      return repeating(() => write((tx) => createBill(tx, person, claim, body), BRIEF_LOCKS))
    }),
  query('/organizations/{organization_id}/bills', 'listBills')
    .says('List bills, newest first')
    .of('organization')
    .can('bills.list')
    .filters(BillFilters)
    .answers(pageOf(Bill))
    .does(({ read, query }) => listBills(read, query)),
  query('/bills/{bill_id}', 'getBill')
    .says('Read a bill with its whole history, oldest first, and with others that may be the same')
    .of('bill')
    .can('bills.read')
    .answers(BillDetail)
    .does(({ read, params }) => findBillDetail(read, params.bill_id)),
  command('patch', '/bills/{bill_id}', 'updateBill')
    .says('Type what is known of a bill; no reading overwrites it', 'What is absent stays, null empties.')
    .of('bill')
    .can('bills.update')
    .takes(BillChange)
    .refuses(409)
    .answers(Bill)
    .handles(({ write, person, params, body }) =>
      changed(write, params.bill_id, (tx, id) => changeBill(tx, person, id, body)),
    ),
  command('post', '/bills/{bill_id}/extract', 'extractBill')
    .says('Have the file of a bill read again; what people typed stays')
    .of('bill')
    .can('bills.update')
    .takes(v.object({}))
    .limited(extractions)
    .refuses(409)
    .answers(Bill)
    .handles(({ write, person, params }) =>
      changed(write, params.bill_id, (tx, id) => requestExtraction(tx, person, id)),
    ),
  command('post', '/bills/{bill_id}/cancel', 'cancelBill')
    .says('Put a bill away that nobody is to pay')
    .of('bill')
    .can('bills.cancel')
    .takes(v.object({}))
    .refuses(409)
    .answers(Bill)
    .handles(({ write, person, params }) => changed(write, params.bill_id, (tx, id) => cancelBill(tx, person, id))),
  query('/bills/{bill_id}/file', 'getBillFile')
    .says('Fetch the original: a fresh link, good for 15 minutes')
    .of('bill')
    .can('bills.read')
    .answers(BillFile)
    .does(({ read, params }) => findBillFile(read, params.bill_id)),
  query('/bills/{bill_id}/provenance', 'getBillProvenance')
    .says('Read where each value of a bill comes from: who typed it, or what was read on which page and where')
    .of('bill')
    .can('bills.read')
    .answers(Provenance)
    .does(({ read, params }) => findProvenance(read, params.bill_id)),
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
