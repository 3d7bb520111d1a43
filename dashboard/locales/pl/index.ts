import account from './account.json'
import activity from './activity.json'
import appraisals from './appraisals.json'
import appraiseList from './appraise-list.json'
import codes from './codes.json'
import commandPalette from './command-palette.json'
import common from './common.json'
import counter from './counter.json'
import devices from './devices.json'
import docs from './docs.json'
import imports from './imports.json'
import keys from './keys.json'
import lookups from './lookups.json'
import members from './members.json'
import notFound from './not-found.json'
import outcomes from './outcomes.json'
import overview from './overview.json'
import phone from './phone.json'
import policy from './policy.json'
import receiptDetails from './receipt-details.json'
import reports from './reports.json'
import settings from './settings.json'
import signIn from './sign-in.json'
import usage from './usage.json'
import verification from './verification.json'
import watches from './watches.json'
import webhooks from './webhooks.json'

export default {
  account,
  activity,
  appraisals,
  'appraise-list': appraiseList,
  codes,
  'command-palette': commandPalette,
  common,
  counter,
  devices,
  docs,
  imports,
  keys,
  lookups,
  members,
  'not-found': notFound,
  outcomes,
  overview,
  phone,
  policy,
  'receipt-details': receiptDetails,
  reports,
  settings,
  'sign-in': signIn,
  usage,
  verification,
  watches,
  webhooks,
}
