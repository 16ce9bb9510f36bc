/** Components that are drawn again only when one of their properties is another value. */
import { Component, type ComponentType, type FunctionComponent } from "preact";

export function memo<Props extends object>(Drawn: FunctionComponent<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !isShallowEqual(this.props, next);
    }

    override render(props: Props) {
      return <Drawn {...props} />;
    }
  };
}

function isShallowEqual(one: object, other: object): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Reflect.get(one, name) === Reflect.get(other, name))
  );
}
