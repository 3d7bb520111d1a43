import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { SourceDialog } from './source-dialog.tsx'
import type { Status } from './source-form.ts'
import { SourceTest } from './source-test.tsx'

type Source = ServiceSettingsWire['sources'][number]
type Opened = { readonly what: 'edit' | 'test' | 'remove'; readonly source: Source } | { readonly what: 'add' }

/** Outside sources that are asked about identifiers. */
export function SourcesCard({ sources }: { sources: readonly Source[] }) {
  const { t } = useTranslation(['service-settings', 'common'])
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  return (
    <Card
      title={t('sources.title')}
      note={t('sources.note')}
      action={<Button onClick={() => setOpened({ what: 'add' })}>{t('sources.add')}</Button>}
    >
      {opened?.what === 'add' ? <SourceDialog source={null} close={close} /> : null}
      {opened?.what === 'edit' ? <SourceDialog source={opened.source} close={close} /> : null}
      {opened?.what === 'test' ? (
        <Dialog title={t('sources.testNamed', { name: opened.source.name })} onClose={close}>
          <SourceTest request={() => ({ name: opened.source.name })} />
        </Dialog>
      ) : null}
      {opened?.what === 'remove' ? <RemoveDialog kind="sources" name={opened.source.name} close={close} /> : null}
      {sources.length === 0 ? (
        <EmptyState title={t('sources.none')} hint={t('sources.noneHint')} />
      ) : (
        <DataTable
          label={t('sources.title')}
          rows={sources}
          rowKey={(source) => source.name}
          columns={[
            {
              title: t('sources.column.source'),
              cell: ({ name, host }) => (
                <>
                  <strong>{name}</strong>
                  <br />
                  <span className="muted breakable">{host}</span>
                </>
              ),
            },
            {
              title: t('sources.column.covers'),
              cell: (source) =>
                source.speaks_for.map((status) => t(`status.${status as Status}`)).join(', ') || t('sources.nothing'),
            },
            {
              title: t('sources.column.state'),
              cell: ({ outage }) =>
                outage ? (
                  <>
                    <Badge tone="bad">{t('sources.down')}</Badge> <span className="muted">{outage}</span>
                  </>
                ) : (
                  <Badge tone="good">{t('sources.ready')}</Badge>
                ),
            },
          ]}
          actions={(source) => (
            <>
              <Button onClick={() => setOpened({ what: 'test', source })}>{t('sources.test')}</Button>
              <Button onClick={() => setOpened({ what: 'edit', source })}>{t('edit')}</Button>
              <Button variant="danger" onClick={() => setOpened({ what: 'remove', source })}>
                {t('common:action.remove')}
              </Button>
            </>
          )}
        />
      )}
    </Card>
  )
}
