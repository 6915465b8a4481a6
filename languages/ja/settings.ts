import type { SettingsWords } from '../words.ts'
import { descriptions } from './settings/descriptions.ts'
import { valueInJapanese } from './settings/values.ts'

/** The table of settings in Japanese. A test fails for what is still English. */
export const words: SettingsWords = {
  head: `# 設定一覧

設定は、コマンドライン、環境変数、コンソール、作業ディレクトリの\`helix.config.json\`（\`--config PATH\`で別のファイルを指定できます）、既定値の順に優先されます。各値の指定元は、\`helix config\`で確認できます。未知の設定や正しくない値があると、Helixは起動せず、その設定を示すメッセージを表示します。相対パスは、作業ディレクトリを基準にします。空の環境変数は、Composeで値のない変数がそうなるように、設定されていないものとして扱います。例外は\`HELIX_CORS_ORIGINS\`だけで、空の場合はどのオリジンも許可しません。名前に別の単位がない限り、時間の単位はミリ秒、大きさの単位はバイトです。

再起動が不要な設定は、サーバーの所有者がコンソールの「サーバー」ページで変更できます。保存した値はデータベースに入り（シークレットは暗号化されます）、クラスターのすべてのノードに直ちに適用され、\`helix.config.json\`の値より優先されます。コマンドラインまたは環境変数で指定した設定は、コンソールでは変更できません。保存した値が次の起動時に無効になっていた場合は無視され、ログに警告\`setting_ignored\`が記録されます。

シークレットは、systemd、Docker、Kubernetesなどが用意するファイルからも読み込めます。名前が\`_FILE\`で終わる環境変数に、ファイルのパスを指定してください。ファイルの末尾の改行は、シークレットに含まれません。両方の変数を設定した場合と、指定したファイルを読めない場合は、エラーになります。上流の\`keyFrom\`で指定する変数でも同じです。ファイルは起動時に読み込まれます。`,
  groups: {
    server: 'サーバーとネットワーク',
    storage: 'データとデータベース',
    cluster: 'クラスターとエンジンノード',
    accounts: 'アカウントと新規登録',
    signIn: '外部サービスでのサインイン',
    mail: 'メール',
    webhooks: 'Webhook',
    models: 'モデル',
    engine: '内蔵エンジン',
    upstreams: '上流',
    limits: '上限',
    prices: '料金と通貨',
    queue: '待ち行列と公平な配分',
    requests: 'リクエストのサイズとタイムアウト',
    replay: '再試行と再送',
    hooks: 'フック',
    cache: '回答キャッシュ',
    records: 'リクエストログと監査ログ',
    backups: 'バックアップ',
    logs: 'サーバーログとメトリクス',
    traces: 'トレース',
    commandLine: 'コマンドライン',
  },
  columns: ['設定', '環境変数', 'オプション', '値', '既定値', '再起動', '説明'],
  or: 'または',
  noOption: 'なし',
  restart: { needed: '必要', notNeeded: '不要' },
  value: (english) => valueInJapanese(english) ?? english,
  description: (name, english) => descriptions[name] ?? english,
}
