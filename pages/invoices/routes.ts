/** Addresses of invoices. */
import type { Routes } from '../frame/routes.ts'
import { addCustomer, changeCustomer, removeCustomer, showChangeCustomer, showNewCustomer } from './customer-form.ts'
import { showCustomer, showCustomers } from './customers.ts'
import { showInvoices } from './list.ts'

export const INVOICES: Routes = {
  shown: {
    '/o/:company/invoices': showInvoices,
    '/o/:company/invoices/customers': showCustomers,
    '/o/:company/invoices/customers/new': showNewCustomer,
    '/o/:company/invoices/customers/:id': showCustomer,
    '/o/:company/invoices/customers/:id/change': showChangeCustomer,
  },
  sent: {
    '/o/:company/invoices/customers': addCustomer,
    '/o/:company/invoices/customers/:id/change': changeCustomer,
    '/o/:company/invoices/customers/:id/remove': removeCustomer,
  },
}
