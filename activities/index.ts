/** The registry: everything a workflow may ask for, by queue. */
export * as main from './payments.ts'
