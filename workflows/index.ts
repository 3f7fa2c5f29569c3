/** The registry: every process there is. */
export { delivery } from './delivery.ts'
export { invitation } from './invitation.ts'
export { payment } from './payment.ts'
export { paymentContact } from './payment-contact.ts'
