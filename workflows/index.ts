/** The registry: every process there is. */
export { payment } from './payment.ts'
