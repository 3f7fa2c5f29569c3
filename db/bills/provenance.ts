/** Where each value of a bill comes from. */
import { decryptForRow } from '../../platform/encryption.ts'
import type { Provenance } from '../../domain/bills/bill.ts'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import type { ReadField } from '../../domain/bills/reader.ts'
import { log } from '../../platform/log.ts'
import type { BillId } from '../../domain/ids.ts'
import { type Reader, first, sql } from '../sql.ts'
import { findBill } from './bills.ts'
import type { Origins } from './fields.ts'

/**
 * Of each field that has a value: who typed it, or which reading found it where. What XML states stands on the page
 * where another reading found the same. Refuses `not_found`.
 */
export async function findProvenance(reader: Reader, id: BillId): Promise<Provenance> {
  const [bill, found, readings] = await Promise.all([
    findBill(reader, id),
    first(reader<{ origins: Origins }>(sql`select origins from bills where id = ${id}`)),
    reader<{ id: string; method: string; sealed: string }>(sql`
      select id, method, encode(sealed, 'hex') as sealed from bill_readings where bill_id = ${id}`),
  ])
  const fieldsOf = new Map(readings.map((reading) => [reading.id, { ...reading, fields: openReading(reading) }]))
  const seen = [...fieldsOf.values()].flatMap(({ fields }) => fields).filter(({ box }) => box)
  const placeOf = (read: ReadField) => seen.find(({ field, value }) => field === read.field && value === read.value)
  const data = BILL_FIELDS.flatMap((field) => {
    const [value, origin] = [bill[field], found?.origins[field]]
    if (value === null || !origin) return []
    const reading = fieldsOf.get(origin.event)
    const read = reading?.fields.find((one) => one.field === field)
    const { text = null, confidence = null } = read ?? {}
    const { page = null, box = null } = (read?.box ? read : read && placeOf(read)) ?? {}
    return [
      {
        field,
        value,
        method: reading?.method ?? 'user',
        page,
        box: box && box.map((points) => Math.round(points * 100) / 100),
        text,
        confidence,
        event_id: origin.event,
      },
    ]
  })
  return { data }
}

function openReading({ id, sealed }: { id: string; sealed: string }): readonly ReadField[] {
  try {
    return (decryptForRow(id, Buffer.from(sealed, 'hex')) as { fields: ReadField[] }).fields // as keepReading() seals
  } catch (error) {
    log.error({ err: error, bill_reading_id: id }, 'what was read of a bill does not open')
    return []
  }
}
