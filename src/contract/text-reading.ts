import { z } from 'zod'
import { component } from './values.ts'

const messageText = z.string().min(1)

export const readFieldSchema = component('ReadField', 'Words of a text and what they were read as.', {
  words: z.string().describe('The words, as written.'),
  field: messageText.describe(
    'What they state: `defects`, `condition`, `lock`, `battery_health`, `wanted`, an attribute such as `attributes.storage`; and, without effect on the price, `warranty`, `replaced.screen`, `replaced.battery`, `replaced.housing`, `replaced.other`, and `wear` or `wear.back`, `wear.corner`, `wear.frame`, `wear.lid`, `wear.screen`.',
  ),
  value: messageText.describe(
    'The value: a defect code, a grade, a lock, percent, the value of the attribute; `left` or `over` of a warranty; `original`, `copy` or `unknown` of a replaced part; `none`, `light`, `visible` or `heavy` of wear.',
  ),
})

export const unreadWordsSchema = component('UnreadWords', 'Words that may change the price but fit no field.', {
  words: z.string().describe('The words, as written.'),
  withholds_offer: z.boolean().describe('Whether an appraisal makes no offer because of them, as for `stolen`.'),
})
