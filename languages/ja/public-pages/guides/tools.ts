import type { PublicWords } from '../../../words.ts'

export const tools: PublicWords['guides']['tools'] = {
  title: 'ツール',
  description: 'モデルから自分の関数を呼び出す方法です。関数の説明、呼び出しの実行、結果の返し方を扱います。',
  lead: 'モデルが選び、自分のコードが実行する。',
  leadRest: '関数を説明しておくと、どれをどの引数で呼び出すかをモデルが決めます。',
  question: '東京の天気は？',
  city: '東京',
  toolText: '都市の現在の天気',
  result: '18℃、晴れ',
  sections: {
    call: {
      title: '関数を説明する',
      text: 'ツールには、名前、説明、引数のJSONスキーマを指定します。モデルが呼び出しを選ぶと`finish_reason`が`tool_calls`になり、メッセージにはテキストの代わりに呼び出しが入ります。',
    },
    answer: {
      title: '呼び出しの形',
      text: '引数はJSONの文字列です。`strict: true`を付けると、必ずスキーマに従います。付けない場合も、強制できるスキーマであれば従い、そうでなければ少なくともJSONオブジェクトになります。',
    },
    loop: {
      title: '結果を返す',
      text: '呼び出しの入ったメッセージを会話に加え、続けて呼び出しごとに`tool_call_id`付きの`tool`メッセージを加えます。これをモデルがテキストで答えるまで繰り返します。',
    },
    choose: {
      title: '呼び出す条件を決める',
      text: '`tool_choice`の既定値は`auto`です。`required`では必ず呼び出し、`none`では呼び出しません。関数名を指定すると、その関数を呼び出します。`parallel_tool_calls: false`では1回の回答につき1件、それ以外では最大16件を呼び出します。',
      after:
        '小さなモデルは、大きなモデルほど正確にツールを選べません。helix-v1は動作を試すためのものです。ストリームでは、まず名前が届き、引数が少しずつ続きます。',
    },
  },
}
