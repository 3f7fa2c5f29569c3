/** Words of the pages in German. */
import { frame } from './de/frame.ts'
import { approvals } from './de/approvals.ts'
import { request } from './de/request/request.ts'
import { home } from './de/home.ts'
import { payees } from './de/payees.ts'
import { payments } from './de/payments.ts'
import { bills } from './de/bills.ts'
import { desk } from './de/desk.ts'
import { batches } from './de/batches.ts'
import { invoices } from './de/invoices.ts'
import { company } from './de/company/company.ts'
import { rules } from './de/company/rules.ts'
import { activity } from './de/company/activity.ts'
import { programs } from './de/programs.ts'
import { books } from './de/books.ts'
import { me } from './de/me.ts'
import { signIn } from './de/sign-in.ts'
import { operate } from './de/operate.ts'
import type { Words } from './en.ts'

export const DE: Words = {
  ...frame,
  approvals,
  request,
  home,
  payees,
  ...payments,
  bills,
  desk,
  batches,
  invoices,
  company,
  rules,
  activity,
  programs,
  books,
  me,
  signIn,
  operate,
}
