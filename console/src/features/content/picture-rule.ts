import * as z from "zod/mini";
import { LARGEST_PICTURE } from "@/shared/ui/picture-field.tsx";

/** A chosen picture that the server would take by its size. */
export const PICTURE = z.nullable(
  z.instanceof(File).check(
    z.refine(({ size }) => size > 0, "图片是空的"),
    z.refine(({ size }) => size <= LARGEST_PICTURE, "图片最大 8 MB，请先缩小"),
  ),
);
