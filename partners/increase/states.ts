/** States of the United States by their postal codes: Increase asks for them, and addresses here have none. */

/** First three digits of the postal codes of each state (USPS, Domestic Mail Manual, L002). */
const TABLE =
  'NY 005 100-149, PR 006-007 009, VI 008, MA 010-027 055, RI 028-029, NH 030-038, ME 039-049, VT 050-054 056-059, ' +
  'CT 060-069, NJ 070-089, AE 090-098, PA 150-196, DE 197-199, DC 200 202-205 569, VA 201 220-246, MD 206-219, ' +
  'WV 247-268, NC 270-289, SC 290-299, GA 300-319 398-399, FL 320-339 341-349, AA 340, AL 350-369, TN 370-385, ' +
  'MS 386-397, KY 400-427, OH 430-459, IN 460-479, MI 480-499, IA 500-528, WI 530-549, MN 550-567, SD 570-577, ' +
  'ND 580-588, MT 590-599, IL 600-629, MO 630-658, KS 660-679, NE 680-693, LA 700-714, AR 716-729, OK 730-732 734-749, ' +
  'TX 733 750-799 885, CO 800-816, WY 820-831, ID 832-838, UT 840-847, AZ 850-865, NM 870-884, NV 889-898, ' +
  'CA 900-961, AP 962-966, HI 967-968, GU 969, OR 970-979, WA 980-994, AK 995-999'

type Range = { readonly state: string; readonly from: number; readonly to: number }

const RANGES: readonly Range[] = TABLE.split(', ').flatMap((line) => {
  const [state = '', ...ranges] = line.split(' ')
  return ranges.map((range) => {
    const [from = '', to = from] = range.split('-')
    return { state, from: Number(from), to: Number(to) }
  })
})

const CODE = /^(\d{3})\d{2}(?:-\d{4})?$/

/** Finds the state of a postal code of the United States; undefined without one. */
export function findState(postalCode: string): string | undefined {
  const code = CODE.exec(postalCode)?.[1]
  return code && RANGES.find(({ from, to }) => from <= Number(code) && Number(code) <= to)?.state
}
