/** All tasks of a company. */
import { html } from 'hono/html'
import type { AttentionItem } from '../../services/registries/attention-kinds.ts'
import { bodyOf, companyPage, nextOf, queryOf } from '../frame/company.ts'
import { head } from '../frame/parts.ts'
import type { Rows } from '../frame/viewer.ts'
import { itemList } from './home.ts'

export const showAttention = companyPage('home', async (viewer, shell) => {
  const { words } = viewer
  const path = `/organizations/${shell.company.id}/attention?${queryOf(viewer, ['cursor'])}`
  const items = bodyOf(await viewer.call<Rows<AttentionItem>>('GET', path))
  return {
    title: words.home.toDo,
    body: html`${head(words.home.toDo)} ${itemList(items.data, shell, words)} ${nextOf(viewer, items)}`,
  }
})
