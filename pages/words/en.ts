/** Words of the pages in English: the form that every other language has. */
import { frame } from './en/frame.ts'
import { approvals } from './en/approvals.ts'
import { request } from './en/request/request.ts'
import { home } from './en/home.ts'
import { payees } from './en/payees.ts'
import { payments } from './en/payments.ts'
import { bills } from './en/bills.ts'
import { desk } from './en/desk.ts'
import { batches } from './en/batches.ts'
import { invoices } from './en/invoices.ts'
import { company } from './en/company/company.ts'
import { rules } from './en/company/rules.ts'
import { activity } from './en/company/activity.ts'
import { programs } from './en/programs.ts'
import { books } from './en/books.ts'
import { me } from './en/me.ts'
import { signIn } from './en/sign-in.ts'
import { operate } from './en/operate.ts'

export const EN = {
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

/** Words of the pages in one language. */
export type Words = typeof EN
