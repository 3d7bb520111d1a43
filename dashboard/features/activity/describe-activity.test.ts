import { expect, test } from 'bun:test'
import type { ActivityWire } from '../../../src/contract/audit.ts'
import { withoutBeginnings } from './describe-activity.ts'

const entry = (action: string, format: string, who = 'ada@example.test'): ActivityWire => ({
  id: `act_${action}_${format}`,
  at: '2026-01-01T00:00:00.000Z',
  who,
  who_name: null,
  action,
  subject: 'x',
  subject_name: null,
  detail: { format },
})

test('an import is shown once: its end, or its start while it runs', () => {
  const shown = withoutBeginnings([
    entry('import.finished', 'observations'),
    entry('import.started', 'repairs'),
    entry('import.started', 'observations'),
    entry('import.started', 'observations'),
    entry('import.failed', 'tac', 'feed tac'),
    entry('key.created', 'tac'),
  ])
  expect(shown.map(({ action, detail }) => `${action} ${detail.format}`)).toEqual([
    'import.finished observations',
    'import.started repairs',
    'import.started observations',
    'import.failed tac',
    'key.created tac',
  ])
})
