import { Button } from '@mantine/core'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useHasDraft } from '@/components/form/draft.ts'
import { PageHeader } from '@/components/PageHeader.tsx'
import { SendingModal } from '@/components/SendingModal.tsx'
import { dateColumn, moneyColumn, termColumn, textColumn } from '@/components/table/columns.tsx'
import { type Report, ReportList } from '@/components/table/ReportScreen.tsx'
import { listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { TRANSFER_DRAFT, TransferForm } from './TransferForm.tsx'

type Row = components['schemas']['FundMoveRow']

const SENT = 3
/** The name of the Robot fund in this list only. */
const ROBOT = { fund: 'FUNDS', word: 'ROBOTFUND' }

const sent: Report<Row> = {
  name: `FundTransferToUserHistory ${SENT}`,
  file: { report: 'FundTransferToUserHistory', type: String(SENT) },
  call: (query) =>
    listOf(api.POST('/api/FundTransferToUserHistory', { body: { ...query, action: SENT } })),
  rowKey: ({ row }) => row,
  empty: (s) => s.funds.noTransfers,
  columns: ({ funds: t }) => [
    textColumn(t.toUserId, (row) => `${row.touserid} (${row.Name})`),
    moneyColumn(t.amountHeader, (row) => row.amount, { sort: 'amount' }),
    termColumn(t.walletType, (row) =>
      row.wallettype === ROBOT.fund ? ROBOT.word : row.wallettype,
    ),
    dateColumn(t.date, (row) => row.transferDate, { sort: 'transferDate' }),
  ],
}

/** The member's transfers to other members, and the form for a new one. */
export function Component() {
  const { funds: t } = useMemberStrings()
  const title = useRouteTitle()
  // A member with a draft continues in the form.
  const [opened, setOpened] = useState(useHasDraft(TRANSFER_DRAFT))
  const [asking, setAsking] = useState(false)
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <Button
            leftSection={<Send size={16} aria-hidden="true" />}
            onClick={() => setOpened(true)}
          >
            {t.transfer}
          </Button>
        }
      />
      <ReportList report={sent} label={title} />
      {/* The form stays mounted when it is closed, with its draft and the key of an unanswered call. */}
      <SendingModal
        held={asking}
        opened={opened}
        onClose={() => setOpened(false)}
        title={t.transfer}
        keepMounted
      >
        <TransferForm onFinish={() => setOpened(false)} onAsking={setAsking} />
      </SendingModal>
    </>
  )
}
