import { auditStore } from '../auth/audit-store.ts'
import { recordExport } from './record-export.ts'

const COLUMNS = ['id', 'at', 'who', 'action', 'subject', 'detail'] as const

export const auditExport = recordExport({
  nouns: ['audit entry', 'audit entries'],
  description: 'audit trail, with changes that concern all organizations',
  command: 'audit',
  header: COLUMNS,
  cells(entryJson) {
    const entry = JSON.parse(entryJson) as Record<string, unknown>
    return COLUMNS.map((name) => (name === 'detail' ? JSON.stringify(entry.detail) : String(entry[name])))
  },
  open: auditStore,
})
