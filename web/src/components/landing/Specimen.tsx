import { formatMoney } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Specimen.module.css'

const AMOUNT = '12.345678'

/** An example of a ledger entry, labelled as one. */
export function Specimen() {
  const { specimen } = useStrings().landing
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>{specimen.caption}</figcaption>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{specimen.account}</th>
            <th scope="col">{specimen.change}</th>
          </tr>
        </thead>
        <tbody>
          <Row account={specimen.from} change={`-${AMOUNT}`} />
          <Row account={specimen.to} change={AMOUNT} />
        </tbody>
        <tfoot>
          <Row account={specimen.sum} change="0" />
        </tfoot>
      </table>
      <dl className={styles.chain}>
        <div>
          <dt>{specimen.previous}</dt>
          <dd>9f2c 41d7 … e08b</dd>
        </div>
        <div>
          <dt>{specimen.hash}</dt>
          <dd>b61a 07e4 … 35cf</dd>
        </div>
      </dl>
    </figure>
  )
}

function Row({ account, change }: { account: string; change: string }) {
  return (
    <tr>
      <th scope="row">{account}</th>
      <td>{formatMoney(change, { sign: 'always' })}</td>
    </tr>
  )
}
