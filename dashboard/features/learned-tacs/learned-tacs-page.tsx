import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ConfirmedTacWire, TacAgreementWire } from '../../../src/contract/management-tacs.ts'
import { callApi } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasRole } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'

/** Models that were learned for type allocation codes: the organization's, and all of them for the operator. */
export function LearnedTacsPage() {
  const { t } = useTranslation('tacs')
  const query = useOperation('GET /api/manage/tacs', {})
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={4}>
        {({ own, all }) => (
          <>
            <OwnTacs tacs={own} />
            {all ? <AllTacs tacs={all} /> : null}
          </>
        )}
      </QueryView>
    </>
  )
}

function OwnTacs({ tacs }: { tacs: readonly ConfirmedTacWire[] }) {
  const { t } = useTranslation('tacs')
  const isOwner = useHasRole('owner')
  const columns = useModelColumns()
  return (
    <Card title={t('own')}>
      {tacs.length === 0 ? (
        <EmptyState title={t('none')} hint={t('noneHint')} />
      ) : (
        <DataTable
          label={t('own')}
          rows={tacs}
          rowKey={keyOf}
          columns={columns}
          actions={isOwner ? (tac) => <ForgetButton tac={tac} scope="own" /> : undefined}
        />
      )}
    </Card>
  )
}

function AllTacs({ tacs }: { tacs: readonly TacAgreementWire[] }) {
  const { t } = useTranslation('tacs')
  const columns = useModelColumns()
  return (
    <Card title={t('all')} note={t('allNote')}>
      {tacs.length === 0 ? (
        <EmptyState title={t('none')} />
      ) : (
        <DataTable
          label={t('all')}
          rows={tacs}
          rowKey={keyOf}
          columns={[
            ...columns,
            { title: t('organizations'), cell: (tac) => tac.organizations },
            {
              title: t('scope'),
              cell: (tac) =>
                tac.confirmed_for_all || tac.organizations > 1 ? (
                  <Badge tone="good">{t(tac.confirmed_for_all ? 'byOperator' : 'byAgreement')}</Badge>
                ) : (
                  <Badge>{t('oneOrganization')}</Badge>
                ),
            },
          ]}
          actions={(tac) =>
            tac.confirmed_for_all ? <ForgetButton tac={tac} scope="all" /> : <ConfirmButton tac={tac} />
          }
        />
      )}
    </Card>
  )
}

type TacModel = Pick<ConfirmedTacWire, 'tac' | 'device_id'>

const keyOf = (tac: TacModel) => `${tac.tac} ${tac.device_id}`

function useModelColumns(): Column<ConfirmedTacWire>[] {
  const { t } = useTranslation('tacs')
  return [
    { title: t('tac'), isRowName: true, cell: ({ tac }) => <code>{tac}</code> },
    {
      title: t('model'),
      cell: ({ device_id: id, device_name: name }) =>
        name === null ? id : <Link to={`/dashboard/devices/${id}`}>{name}</Link>,
    },
    { title: t('devices'), cell: ({ units }) => units },
    { title: t('last'), cell: ({ confirmed_at: at }) => formatDay(at) },
  ]
}

function ForgetButton({ tac: { tac, device_id }, scope }: { tac: TacModel; scope: 'own' | 'all' }) {
  const { t } = useTranslation('tacs')
  const send = () => callApi('DELETE /api/manage/tacs/{tac}', { params: { tac }, query: { device_id, scope } })
  return <ApiButton send={send}>{t('undo')}</ApiButton>
}

function ConfirmButton({ tac: { tac, device_id } }: { tac: TacModel }) {
  const { t } = useTranslation('tacs')
  const send = () => callApi('PUT /api/manage/tacs/{tac}', { params: { tac }, body: { device_id } })
  return <ApiButton send={send}>{t('confirm')}</ApiButton>
}
