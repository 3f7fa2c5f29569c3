/** The registry: every process there is. */
export { delivery } from './delivery.ts'
export { payment } from './payment.ts'
export { paymentContact } from './payment-contact.ts'
