/** Settings of bills by mail: where mails come in, and whose word about a sender is believed. */
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { callbackSecret } from './drivers/entry.ts'

const wholeNumber = v.pipe(v.string(), v.regex(/^\d+$/, 'must be a whole number'), v.transform(Number))
const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text)
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** Variables of bills by mail. Without a domain, none are taken. */
export const BillMail = {
  BILLS_MAIL_DOMAIN: v.optional(v.pipe(v.string(), v.regex(DOMAIN, 'must be a domain in lower case'))),
  BILLS_MAIL_PORT: v.optional(v.pipe(wholeNumber, v.maxValue(65_535))),
  BILLS_MAIL_TLS_CERT_PATH: v.optional(v.string()),
  BILLS_MAIL_TLS_KEY_PATH: v.optional(v.string()),
  BILLS_MAIL_SECRET: v.optional(callbackSecret),
  BILLS_MAIL_AUTHSERV_ID: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{1,255}$/, 'must be the id of a gateway'))),
  BILLS_MAIL_GATEWAYS: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
    v.everyItem(isNetwork, 'must be networks, such as 192.0.2.0/24'),
  ),
  BILLS_MAIL_RETENTION_DAYS: v.pipe(v.optional(v.string(), '90'), wholeNumber, v.minValue(1), v.maxValue(3650)),
} as const
